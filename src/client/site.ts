/** What this copy of the script knows about its page; passed to everything that needs it. */
export interface Site {
  /** The connected domain the script came from: `https://go.acme.example`. */
  origin: string
  /** The script tag's attributes: `data.siteKey` for `data-site-key`. Grows if the account has a second tag. */
  data: TagData
  /** Tells the web developer once what the script cannot do and what to change. */
  say: (text: string) => void
  /** Wraps callbacks of the page or browser: our faults are reported and never reach the page. */
  guarded: <A extends unknown[]>(run: (...args: A) => unknown) => (...args: A) => void
  /** Loads a file of the script, retrying for half a minute. Rejects with a sentence for the console. */
  load: <Exports>(file: string) => Promise<Exports>
}

/** The attributes of the script tag that the script reads (docs/script.md). */
interface TagData {
  /** The tracking key; without it events cannot be sent. */
  siteKey?: string
  /** The language of the texts for visitors. */
  lang?: string
  outbound?: string
  downloads?: string
}

declare global {
  interface HTMLScriptElement {
    /** Marks the tag as taken by a copy of the script. */
    svc?: boolean
  }
}

const noticesMax = 50
const triesMax = 4
const retryMs = 5_000

// biome-ignore lint/suspicious/noConsole: the console is where a web developer looks
const warn = (text: string) => console.warn('[svc] ' + text)

/**
 * The site of this copy's tag; `undefined`: none, which is reported on the console. Browsers only name the tag while a
 * plain script first runs; a module takes the first free one.
 */
export function siteOfTag(): Site | undefined {
  const tag = [document.currentScript as HTMLScriptElement | null, ...document.scripts].find(
    (script) => script && !script.svc && /\/_svc\/v1\.js\b/.test(script.src),
  )
  if (tag) {
    tag.svc = true
    return siteOf(tag)
  }
  warn('Not started: needs <script src="https://…/_svc/v1.js" defer>')
  return
}

function siteOf({ src, dataset }: HTMLScriptElement): Site {
  const { origin } = new URL(src)
  const notices = new Set<string>()

  function say(text: string): void {
    const { size } = notices
    if (size < noticesMax && notices.add(text).size > size) warn(text)
  }

  return {
    origin,
    data: { ...dataset },
    say,
    guarded:
      (run) =>
      async (...args) => {
        try {
          await run(...args)
        } catch (error) {
          say(`${error}`)
        }
      },
    async load(file) {
      for (let tries = 1; ; tries++) {
        try {
          // Some browsers remember a failed import by its address.
          return await import(`${origin}/_svc/${file}${tries > 1 ? '?' + tries : ''}`)
        } catch {
          const fault = `Could not load ${origin}/_svc/${file}: does the Content-Security-Policy allow it?`
          if (tries === triesMax) throw fault
          say(fault)
          await new Promise((resolve) => setTimeout(resolve, retryMs * tries))
        }
      }
    },
  }
}
