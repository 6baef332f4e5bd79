/** What a data folder keeps about one of its targets, for the next process, `doctor` and the console. */
export interface TargetState {
  url: string
  /** The history that this folder writes there; `null`: none yet. */
  history: string | null
  /** Processes of this folder that may stand in the target's `owner`: the latest one, and the one before it. */
  runs: string[]
  /** This folder has put no base and no increment of a later instant (epoch milliseconds). */
  writtenAt: number
  /** Everything before this instant (epoch milliseconds) is there; `null`: nothing is. */
  safeAt: number | null
  /** The moment of the latest base, epoch milliseconds. */
  baseAt: number | null
  /** When what the latest moment needs was last found whole, epoch milliseconds; `null`: never yet. */
  verifiedAt: number | null
  /** Why the latest attempt failed, and since when nothing but failure; `null`: it succeeded. */
  fault: { message: string; since: number } | null
}

/** Keeps the states of targets. Several processes may keep those of different targets at once. */
export interface TargetStates {
  read(url: string): TargetState
  write(state: TargetState): void
}

export const unknownTarget = (url: string): TargetState => ({
  url,
  history: null,
  runs: [],
  writtenAt: 0,
  safeAt: null,
  baseAt: null,
  verifiedAt: null,
  fault: null,
})
