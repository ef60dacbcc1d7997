export default defineComponent({
  async run({ steps, $ }) {
    $.export('$summary', `for ${steps.trigger.event.who}`);
  },
});
