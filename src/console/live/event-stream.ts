export interface LiveEvent {
  name: string
  /** By which a browser that lost the stream says where to go on. */
  id: string
  data: unknown
}

export interface EventSource {
  /** What has happened since the last look; `null`: the stream ends here. */
  look(): Promise<LiveEvent[] | null>
  onEnd(): void
}

/** Between two looks. */
const lookMs = 1000
/** Shorter than any patience with a silent connection on the way. */
const silentLooksMax = 5
/** Looks that nobody has read: whoever stops reading is left. */
const unreadMax = 30
/** How long a browser waits before it opens the stream again. */
const retryMs = 2000

/** Server-sent events (HTML, section 9.2), each written as soon as it is known. */
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
        // Whoever listened may have gone during the look: a stream that was cancelled takes nothing more.
        if (isOver) return
        if (events === null || (controller.desiredSize ?? 0) < -unreadMax) return close()
        for (const event of events) write(eventText(event))
        silentLooks = events.length > 0 ? 0 : silentLooks + 1
        if (silentLooks >= silentLooksMax) {
          silentLooks = 0
          write(':\n\n')
        }
        timer = setTimeout(look, lookMs)
      }
      write(`retry: ${retryMs}\n\n`)
      timer = setTimeout(look, 0)
    },
    cancel: end,
  })
  return new Response(stream, {
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      // Of nginx: such a proxy would gather the events.
      'x-accel-buffering': 'no',
    },
  })
}

/** JSON has no line ends, which would end the event. */
const eventText = ({ name, id, data }: LiveEvent): string =>
  `event: ${name}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`
