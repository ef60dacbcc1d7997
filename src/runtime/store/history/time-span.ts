/** A stretch of time cut into equal parts. */
export interface TimeSpan {
  /** Epoch ms. */
  readonly from: number;
  readonly bucketMs: number;
  readonly buckets: number;
}
