/** The owner that writes for an emitter. A write of a replaced owner is refused: WeirError('conflict'). */
export interface EmitterOwner {
  /** Id of the emitter. */
  readonly id: string;
  /** Greater than those of all owners before. */
  readonly fence: number;
}
