/** What a data folder stores about one of its targets, for the next process, `doctor` and the console. */
export interface TargetState {
  url: string
  /** The history that this folder writes at the target; `null`: none yet. */
  history: string | null
  /** Processes of this folder that may stand in the target's `owner`: the latest one, and the one before it. */
  runs: string[]
  /** This folder has put no base and no increment of a later instant (epoch milliseconds). */
  writtenAt: number
  /** Everything before this instant (epoch milliseconds) is at the target; `null`: nothing is. */
  safeAt: number | null
  /** The moment of the latest base, epoch milliseconds. */
  baseAt: number | null
  /** When the objects of the latest moment were last found complete, epoch milliseconds; `null`: never yet. */
  verifiedAt: number | null
  /** Why the latest attempt failed, and since when every attempt has; `null`: it succeeded. */
  fault: { message: string; since: number } | null
}

/** Stores the states of targets. Several processes may store states of different targets at once. */
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
