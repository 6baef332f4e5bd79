import { noFTL } from 'bun:jsc'

/**
 * Keeps the methods of a class from JavaScriptCore's third compiler. It takes longer over the code that reads pages than a command
 * that reads thousands of them can win back.
 */
export function withoutLastCompiler(...classes: { prototype: object }[]): void {
  for (const { prototype } of classes)
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype)))
      if (typeof value === 'function' && name !== 'constructor') noFTL(value)
}
