const { name } = require('./lib/name.js');

module.exports = {
  key: 'debug-listener',
  name,
  version: '0.0.1',
  type: 'source',
  props: {},
  async run(event) {
    const heard = event.doubled; // stop: run
    console.log(name, heard);
  },
};
