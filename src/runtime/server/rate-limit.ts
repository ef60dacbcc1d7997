/**
 * How often somebody may ask (pure; the time comes in). A bucket for each: it fills with so many requests a second,
 * and each request takes one out. It stands on the hot path of the endpoints, before a body is read: so there is
 * neither a promise nor a timer for each caller in it, as libraries have them.
 */
export interface RateLimit {
  /** 0: continue; otherwise there is room again in this many ms. */
  take(key: string): number;
}

/** A burst may have this many seconds' worth of requests. */
const burstSeconds = 5;
/** Buckets that are full again tell no more than ones that are not there. */
const sweepAt = 10_000;

interface Bucket {
  /** Requests that may come at `at`. */
  tokens: number;
  at: number;
}

/** @param elapsed in ms, from any moment; it is never set back */
export function createRateLimit(perSecond: number, elapsed: () => number): RateLimit {
  const most = Math.max(1, perSecond * burstSeconds);
  const buckets = new Map<string, Bucket>();
  const fill = (bucket: Bucket, now: number): void => {
    bucket.tokens = Math.min(most, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
  };
  const sweep = (now: number): void => {
    for (const [key, bucket] of buckets) {
      fill(bucket, now);
      if (bucket.tokens >= most) buckets.delete(key);
    }
  };
  return {
    take(key) {
      const now = elapsed();
      let bucket = buckets.get(key);
      if (bucket === undefined) {
        if (buckets.size >= sweepAt) sweep(now);
        bucket = { tokens: most, at: now };
        buckets.set(key, bucket);
      } else fill(bucket, now);
      if (bucket.tokens < 1) return Math.ceil(((1 - bucket.tokens) / perSecond) * 1000);
      bucket.tokens -= 1;
      return 0;
    },
  };
}
