import { smallPage } from './small-page.ts'

/** Most downloads have finished by then. */
const retryAfterSeconds = 10
const headers = { 'retry-after': String(retryAfterSeconds) }

export const tooManyForAddress = (): Response =>
  smallPage({
    status: 429,
    title: 'Too many downloads at once',
    text: 'Wait until one of your downloads has ended, then open this address again.',
    headers,
  })

/** The box has no capacity or no descriptor for another download. */
export const backInAMoment = (): Response =>
  smallPage({
    status: 503,
    title: 'Back in a moment',
    text: 'This site serves as many visitors as it can at once. Try again in a few seconds.',
    headers,
  })
