const keptMax = 100

/** Adds a call; the oldest event makes room, since filters and consent apply to later events. */
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
