export default {
  key: 'every-hour',
  name: 'Every hour',
  version: '0.0.1',
  type: 'source',
  dedupe: 'unique',
  props: {
    db: '$.service.db',
    timer: { type: '$.interface.timer', default: { intervalSeconds: 3600 } },
  },
  async run() {
    const runs = (this.db.get('runs') ?? 0) + 1;
    this.db.set('runs', runs);
    console.log(`run ${runs}`);
    this.$emit({ runs }, { id: runs, summary: `Run ${runs}` });
    this.$emit({ runs: 1 }, { id: 1, summary: 'Run 1 again' });
  },
};
