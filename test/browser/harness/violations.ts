import { readFileSync } from 'node:fs'
import type { RunOptions } from 'axe-core'
import type { Frame, Page } from 'playwright-core'

declare const axe: typeof import('axe-core')

/** A third of what the package's own `source` takes to load, which is not minified. */
const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

/** Each frame is asked by itself: axe-core does not reach into those that it is not told of. */
const options: RunOptions = { resultTypes: ['violations'], iframes: false }

/** Those of axe-core's rules for levels A and AA that judge colours. */
const ofColours: RunOptions = { ...options, runOnly: ['color-contrast', 'link-in-text-block'] }

/** What axe-core finds in a page as it is shown now, frames and shadow roots included: the rule, and where it is broken. */
export const violations = (page: Page): Promise<string[]> => violationsBy(options, page)

/** The same by the rules of colours alone, for a page that was judged by the others in another light. */
export const colourViolations = (page: Page): Promise<string[]> => violationsBy(ofColours, page)

async function violationsBy(rules: RunOptions, page: Page): Promise<string[]> {
  const found: string[] = []
  for (const frame of page.frames()) if (await isSeen(frame)) found.push(...(await violationsIn(frame, rules)))
  return found
}

async function isSeen(frame: Frame): Promise<boolean> {
  if (frame.parentFrame() === null) return true
  const element = await frame.frameElement()
  return (await element.isVisible()) && runsScripts(await element.getAttribute('sandbox'))
}

/** axe-core is a script: a frame without any is a picture to it. */
const runsScripts = (sandbox: string | null): boolean => sandbox === null || sandbox.includes('allow-scripts')

async function violationsIn(frame: Frame, rules: RunOptions): Promise<string[]> {
  if (!(await frame.evaluate(() => 'axe' in globalThis))) await frame.evaluate(axeSource)
  await frame.evaluate(movementsEnded)
  const { violations } = await frame.evaluate((rules) => axe.run(rules), rules)
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.flat().join(' ')}`))
}

/** Colours are judged as they are at the moment, so that whatever fades in has come to its end before. */
async function movementsEnded(): Promise<void> {
  const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
  await Promise.allSettled(ending.map(({ finished }) => finished))
}
