import { handedOnLog, type Log, type LogLine } from '../log.ts'

/** To a thread of the service, besides what it understands of its own. */
export type ToThread<Settings, Own = never> = { begin: Settings } | { close: true } | { ping: true } | Own

/** From such a thread, besides what it says of its own. */
export type FromThread<Own = never> = { log: LogLine } | { closed: true } | { pong: true } | Own

/** What a thread is at. */
export interface ThreadWork<Received = never> {
  receive?: (message: Received) => void
  /** Starts nothing more, and resolves when what is under way has ended. */
  close(): Promise<void>
}

interface ThreadParts<Posted> {
  post: (message: Posted) => void
  /** Its lines go to the serving thread. */
  log: Log
}

declare const self: Worker

/**
 * Begins the work once this thread is told its settings, and closes it when the thread is told to. Call before anything is
 * awaited: messages that arrive earlier would be lost.
 */
export function workInThread<Settings, Posted = never, Received extends object = never>(
  begin: (settings: Settings, parts: ThreadParts<Posted>) => Promise<ThreadWork<Received>>,
): void {
  const post = (message: FromThread<Posted>): void => self.postMessage(message)
  const log = handedOnLog((line) => post({ log: line }))
  let work: Promise<ThreadWork<Received>> | null = null
  const close = async (): Promise<void> => {
    try {
      await (await work)?.close()
    } finally {
      post({ closed: true })
    }
  }
  self.onmessage = ({ data }: MessageEvent<ToThread<Settings, Received>>) => {
    if ('begin' in data) work = begin(data.begin, { post, log })
    else if ('close' in data) void close()
    else if ('ping' in data) post({ pong: true })
    else void work?.then(({ receive }) => receive?.(data))
  }
}
