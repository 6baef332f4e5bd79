import { expect, test } from 'bun:test'
import { isDark } from '../../src/lib/readable-colour.ts'
import { smallPageStyle } from '../../src/listener/answer/small-page.ts'
import { contrastOf } from '../harness/contrast.ts'

/** Text and link colours with their background, in the order in which the style sheet has them. */
function pairs(css: string): { background: string; text: string; link: string }[] {
  const rule = /body\{color:(#\w{6});background:(#\w{6})\}a\{color:(#\w{6})\}/g
  return [...css.matchAll(rule)].map(([, text = '', background = '', link = '']) => ({ background, text, link }))
}

const colours = [
  '#000000',
  '#ffffff',
  '#777777',
  '#ffff00',
  '#0000ff',
  '#ff0000',
  '#00ff00',
  '#0b57a4',
  '#fafaf8',
  '#808000',
]

test('whatever colours an account states, its text and links can be read in light and dark', () => {
  for (const background of [null, ...colours]) {
    for (const colour of [null, ...colours]) {
      const found = pairs(smallPageStyle({ colour, background }).css)
      expect(found.length).toBeGreaterThan(0)
      for (const { background: behind, text, link } of found) {
        expect(contrastOf(text, behind)).toBeGreaterThanOrEqual(4.5)
        expect(contrastOf(link, behind)).toBeGreaterThanOrEqual(4.5)
      }
    }
  }
})

test('a colour that can be read is used as it is', () => {
  const [light] = pairs(smallPageStyle({ colour: '#cc0000', background: '#ffffff' }).css)
  expect(light).toMatchObject({ background: '#ffffff', link: '#cc0000' })
})

test('a light background applies to light only, a dark one to both', () => {
  const light = pairs(smallPageStyle({ colour: null, background: '#fff8e7' }).css)
  expect(light.map(({ background }) => isDark(background))).toEqual([false, true])
  const dark = pairs(smallPageStyle({ colour: null, background: '#101830' }).css)
  expect(dark.map(({ background }) => background)).toEqual(['#101830'])
})

test('the contrast is that of WCAG', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})
