const stepPattern = /^(#[^:]*):(\d+)$/

/** Whether a visit does the target now for the first time; a step of a funnel only once the one before it is done. */
export function isReached(target: string, done: ReadonlySet<string>): boolean {
  if (done.has(target)) return false
  const [, funnel, step] = stepPattern.exec(target) ?? []
  return funnel === undefined || step === '1' || done.has(`${funnel}:${Number(step) - 1}`)
}
