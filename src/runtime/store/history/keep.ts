/** How much history stays: at most `count` rows, none older than `before` (epoch ms); the 100 newest always stay. */
export interface Keep {
  readonly count: number;
  readonly before: number;
}
