import { payload, payloadId } from '../harness/payload.mts';

/** Emits as many events as the one it is run with says, numbered on from `from`. */
export default {
  key: 'bench-emit-many',
  name: 'Bench: emit many',
  version: '0.0.1',
  type: 'source',
  run({ count, from = 0 }) {
    for (let n = from; n < from + count; n += 1) {
      const event = JSON.parse(payload(payloadId(0, n)));
      this.$emit(event, { summary: `Order ${n}` });
    }
  },
};
