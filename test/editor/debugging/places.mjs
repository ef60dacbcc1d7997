import thing from './lib/thing.app.mjs';

const common = { props: { db: '$.service.db' } };

export default {
  ...common,
  key: 'debug-places',
  name: 'Debug places',
  version: '0.0.1',
  type: 'source',
  props: {
    ...common.props,
    thing,
    kind: { type: 'string', default: 'small', reloadProps: true },
    timer: { type: '$.interface.timer', default: { intervalSeconds: 1 } },
  },
  async additionalProps() {
    const extra = { type: 'string', optional: true }; // stop: additional props
    return { extra };
  },
  hooks: {
    async deploy() {
      this.db.set('began', true); // stop: deploy
    },
    async activate() {
      this.db.set('active', true); // stop: activate
    },
    async deactivate() {
      this.db.set('active', false); // stop: deactivate
    },
  },
  async run(event) {
    if (event?.interval_seconds !== undefined) {
      this.db.set('tick', event.timestamp); // stop: timer
      return;
    }
    const doubled = this.thing.double(21); // stop: by hand
    this.$emit({ doubled }, { summary: `doubled to ${doubled}` });
  },
};
