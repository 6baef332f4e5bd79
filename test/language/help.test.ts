// The page of the manual for customers, in each language (docs/languages.md).
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { textsOf } from '../../src/language/language.ts'
import { languages } from '../../src/language/languages.ts'
import { root } from '../documentation/markdown.ts'

const pageIn = (language: string): string =>
  readFileSync(join(root, 'docs', language === 'en' ? 'your-leads.md' : `your-leads/${language}.md`), 'utf8')

const textsBelow = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(value as object).flatMap(textsBelow)

/** Headings, steps and the like, in order: what a translation must not lose. */
const partsOf = (page: string): string[] => page.match(/^(?:#+|\d\.|-) |^$|\*\*(?=\p{L})/gmu) ?? []

describe.each(languages)('the help in "%s"', (language) => {
  test('names buttons and pages as the console does', () => {
    const labels = Array.from(pageIn(language).matchAll(/(?<!\*)\*([^*]+)\*(?!\*)/g), ([, label = '']) =>
      label.replaceAll(/\s+/g, ' '),
    )
    // The same word in every language.
    const texts = new Set(['CSV', ...textsBelow(textsOf(language).console)])
    expect(labels.length).toBeGreaterThan(7)
    expect(labels.filter((label) => !texts.has(label))).toEqual([])
  })

  test('asks what customers ask, and answers in one paragraph', () => {
    const parts = pageIn(language).split('\n## ').slice(1, -1)
    expect(parts.length).toBeGreaterThan(7)
    for (const part of parts) expect(part).toMatch(/^.+\?\n\n(?:.+\n)+$/)
  })

  test('has the parts of the English one', () => {
    expect(partsOf(pageIn(language))).toEqual(partsOf(pageIn('en')))
  })

  test('ends with the steps of the first sign-in, which the console leaves out for whoever has signed in', () => {
    const page = pageIn(language)
    expect(page.indexOf('\n1. ')).toBeGreaterThan(page.lastIndexOf('\n## '))
  })
})
