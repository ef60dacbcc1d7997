export default defineComponent({
  async run({ $ }) {
    await $.flow.suspend(); // stop: hold
  },
});
