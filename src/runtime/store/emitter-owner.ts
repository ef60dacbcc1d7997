/** Who writes for an emitter. A write of an owner that was replaced is refused: WeirError('conflict'). */
export interface EmitterOwner {
  /** Of the emitter. */
  readonly id: string;
  /** Greater than those of all owners before. */
  readonly fence: number;
}
