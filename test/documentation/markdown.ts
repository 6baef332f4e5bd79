import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dir, '../..')

export interface Page {
  /** Relative to the repository. */
  path: string
  text: string
}

/** A fenced block: what stands behind the fence, and the lines within. */
export interface CodeBlock {
  info: string
  text: string
}

/** README.md and every page below docs/. */
export function pages(): Page[] {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`)
  return ['README.md', ...docs.sort()].map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

const fence = /^```([^\n]*)\n([\s\S]*?)^```$/gm

export const codeBlocks = ({ text }: Page): CodeBlock[] =>
  [...text.matchAll(fence)].map(([, info = '', code = '']) => ({ info, text: code }))

/** Lines of code blocks, and what stands between backticks. */
export function codeLines(page: Page): string[] {
  const blocks = codeBlocks(page).flatMap(({ text }) => text.split('\n'))
  const inline = [...page.text.replace(fence, '').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
  return [...blocks, ...inline]
}

/** Addresses of links that lead to files of the repository, with their anchors. */
export const relativeLinks = ({ text }: Page): string[] =>
  [...text.replace(fence, '').matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, address = '']) => address)
    .filter((address) => !/^[a-z]+:/.test(address))

/** The anchors that a page's headings get. */
export const anchors = ({ text }: Page): string[] =>
  [...text.replace(fence, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
