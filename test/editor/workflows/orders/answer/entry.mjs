export default defineComponent({
  async run({ steps, $ }) {
    await $.respond({ status: 201, body: { said: steps.greet.$return_value } }); // stop: answer
  },
});
