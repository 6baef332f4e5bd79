/** A turn of the event loop that took longer says that this process was kept from running. */
const turnMsMax = 100

/**
 * Lets the end of a connection be heard of that came with an answer, or while this process was kept from running. Clients look for it
 * before they use a connection again. Without, what they send over one closed long ago would count as lost.
 */
export async function whatHasArrived(): Promise<void> {
  let fromMs: number
  do {
    fromMs = performance.now()
    // The sockets are read in between.
    await turnOfTheLoop()
    await turnOfTheLoop()
  } while (performance.now() - fromMs > turnMsMax)
}

const turnOfTheLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
