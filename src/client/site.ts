/** What this copy of the script knows of the page it runs on. Handed to everything that needs it. */
export interface Site {
  /** The connected domain the script came from: `https://go.acme.example`. */
  origin: string
  /** The tracking key of `data-site-key`; `undefined`: events cannot be sent. */
  key: string | undefined
  /** Tells the web developer, once for each text, what the script cannot do and what to change. */
  say: (text: string) => void
  /** Wraps what the page or the browser calls: a fault of ours is said and never reaches the page. */
  guarded: <A extends unknown[]>(run: (...args: A) => unknown) => (...args: A) => void
}

const noticesMax = 50

/** The site of a script tag (contract section 7). */
export function siteOf(script: HTMLScriptElement): Site {
  const said = new Set<string>()

  function say(text: string): void {
    const { size } = said
    // biome-ignore lint/suspicious/noConsole: the console is where a web developer looks (contract section 7)
    if (size < noticesMax && said.add(text).size > size) console.warn('[svc] ' + text)
  }

  return {
    origin: new URL(script.src).origin,
    key: script.dataset.siteKey,
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
  }
}
