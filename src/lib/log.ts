export const logLevels = ['debug', 'info', 'warn', 'error'] as const
type LogLevel = (typeof logLevels)[number]

/** A line's fields. They never hold personal data or secrets. */
export type LogFields = Record<string, string | number | boolean | null>

/** A structured log: one line for each message. */
export interface Log {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

/** Level and format may change while the log is open. */
export interface LogOptions {
  level: LogLevel
  format: 'json' | 'pretty'
  write: (line: string) => void
  now: () => number
}

export function openLog(options: LogOptions): Log {
  const { write, now } = options
  const logAt =
    (at: LogLevel) =>
    (message: string, fields: LogFields = {}) => {
      if (logLevels.indexOf(at) < logLevels.indexOf(options.level)) return
      const line = options.format === 'json' ? jsonLine : prettyLine
      write(line({ at, message, fields, time: new Date(now()).toISOString() }))
    }
  return { debug: logAt('debug'), info: logAt('info'), warn: logAt('warn'), error: logAt('error') }
}

export interface LogLine {
  level: LogLevel
  message: string
  fields: LogFields
}

/** A log whose lines another thread writes, the one that has the terminal. */
export function handedOnLog(handOn: (line: LogLine) => void): Log {
  const at =
    (level: LogLevel): Log['info'] =>
    (message, fields = {}) =>
      handOn({ level, message, fields })
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

interface Line {
  at: LogLevel
  message: string
  fields: LogFields
  time: string
}

const jsonLine = ({ at, message, fields, time }: Line) => `${JSON.stringify({ time, level: at, message, ...fields })}\n`

function prettyLine({ at, message, fields, time }: Line): string {
  const details = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
  return `${time.slice(11, 19)} ${at.padEnd(5)} ${message}${details.join('')}\n`
}
