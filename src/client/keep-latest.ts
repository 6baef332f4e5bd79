const keptMax = 100

/** Adds to what was said; the oldest event makes room, since filters and answers on consent count for what comes later. */
export function keepLatest<Command extends [name: string, ...rest: unknown[]]>(
  list: Command[],
  command: Command,
): void {
  if (list.push(command) > keptMax) {
    list.splice(
      list.findIndex(([name]) => !/^(filter|consent)/.test(String(name))),
      1,
    )
  }
}
