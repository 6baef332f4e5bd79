export interface LiveEvent {
  name: string
  /** With this, a browser that lost the stream says where to continue. */
  id: string
  data: unknown
}

export interface EventSource {
  /** What has happened since the last look; `null` ends the stream. */
  look(): Promise<LiveEvent[] | null>
  onEnd(): void
}

const lookMs = 1000
/** Shorter than any proxy's timeout for silent connections. */
const silentLooksMax = 5
/** The stream ends when the reader is this many looks behind. */
const unreadMax = 30
/** How long a browser waits before it opens the stream again. */
const retryMs = 2000

/** Server-sent events (HTML, section 9.2), each written at once. */
export function eventStream(source: EventSource): Response {
  const encoder = new TextEncoder()
  let timer: Timer | undefined
  let isOver = false
  const end = (): void => {
    isOver = true
    clearTimeout(timer)
    source.onEnd()
  }
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (text: string) => controller.enqueue(encoder.encode(text))
      const close = () => {
        end()
        controller.close()
      }
      let silentLooks = 0
      const look = async (): Promise<void> => {
        const events = await source.look().catch(() => null)
        // The reader may have left during the look, and a cancelled stream takes nothing more.
        if (isOver) return
        if (events === null || (controller.desiredSize ?? 0) < -unreadMax) return close()
        for (const event of events) write(eventText(event))
        silentLooks = events.length > 0 ? 0 : silentLooks + 1
        if (silentLooks >= silentLooksMax) {
          silentLooks = 0
          // A browser that hears nothing says that the list is not live.
          write('event: alive\ndata: yes\n\n')
        }
        timer = setTimeout(look, lookMs)
      }
      write(`retry: ${retryMs}\n\n`)
      timer = setTimeout(look, 0)
    },
    cancel: end,
  })
  return streamAnswer(stream)
}

const streamAnswer = (events: ReadableStream | string): Response =>
  new Response(events, {
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      // For nginx, which would buffer the events.
      'x-accel-buffering': 'no',
    },
  })

/** Tells a browser whose session has ended; of a status it would hear nothing. */
export const endedStream = (): Response => streamAnswer('event: ended\ndata: yes\n\n')

/** JSON text has no line ends; a line end would end the event. */
const eventText = ({ name, id, data }: LiveEvent): string =>
  `event: ${name}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`

/** Limits for the whole console and for one user. A hidden tab closes its stream. */
const streamsMax = 50
const streamsOfUserMax = 8

/** Limits the number of open streams. */
export class LiveStreams {
  private readonly byUser = new Map<string, number>()

  /** @returns a function to call when the stream has ended; `null`: too many streams are open */
  begin(userId: string): (() => void) | null {
    const ofUser = this.byUser.get(userId) ?? 0
    const all = this.byUser.values().reduce((sum, count) => sum + count, 0)
    if (ofUser >= streamsOfUserMax || all >= streamsMax) return null
    this.byUser.set(userId, ofUser + 1)
    let isOpen = true
    return () => {
      if (isOpen) this.end(userId)
      isOpen = false
    }
  }

  private end(userId: string): void {
    const left = (this.byUser.get(userId) ?? 1) - 1
    if (left === 0) this.byUser.delete(userId)
    else this.byUser.set(userId, left)
  }
}
