/** What a data folder stores about one of its targets, for the next process, `doctor` and the console. */
export interface TargetState {
  url: string
  /** The history that this folder writes at the target; `null`: none yet. */
  history: string | null
  /** Processes of this folder that may stand in the target's `owner`: the latest ones. */
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

/** Stores the states of targets, for all processes of the data folder: a service, its successor, and commands. */
export interface TargetStates {
  read(url: string): TargetState
  /** Changes what is stored by then; nobody else changes it meanwhile. @returns the new state */
  change(url: string, to: (stored: TargetState) => Partial<TargetState>): TargetState
  /** Does the work while no other such work for the target is under way. @throws when it must wait for too long */
  exclusively<T>(url: string, work: () => Promise<T>): Promise<T>
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
