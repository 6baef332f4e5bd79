import { describe, expect, test } from 'bun:test'
import { bundleClient, gzipBytes, scriptGzipBytesMax, scriptNames } from '../../src/client/bundle.ts'

const files = await bundleClient()
const script = files['v1.js']

describe('the browser script', () => {
  test('is at most 3,000 bytes gzipped, and each file of ours that it loads is within its limit', () => {
    expect(scriptGzipBytesMax).toEqual({ 'v1.js': 3_000, 'f.js': 3_300, 'e.js': 3_000, 'u.js': 2_000 })
    expect(scriptNames).toEqual(['v1.js', 'f.js', 'e.js', 'u.js'])
    for (const name of scriptNames) expect(gzipBytes(files[name])).toBeLessThanOrEqual(scriptGzipBytesMax[name])
  })

  test('is the whole script, not an empty shell', () => {
    for (const path of ['/_svc/rc', '/_svc/f.js', 'e.js']) expect(script).toContain(path)
    for (const path of ['/_svc/f/', '/_svc/b.js']) expect(files['f.js']).toContain(path)
    for (const path of ['/_svc/e', 'X-SVC-Consent']) expect(files['e.js']).toContain(path)
  })

  test.each(['cookie', 'localStorage', 'sessionStorage', 'indexedDB', 'caches'])('never touches %s', (name) => {
    for (const file of scriptNames) expect(files[file]).not.toContain(name)
  })

  test.each(['eval(', 'new Function', 'innerHTML', "setAttribute('style"])(
    'needs nothing that a strict Content-Security-Policy forbids: %s',
    (text) => {
      for (const file of scriptNames) expect(files[file]).not.toContain(text)
    },
  )

  test('is one classic script that depends on nothing', () => {
    expect(() => new Bun.Transpiler({ loader: 'js' }).scan(script)).not.toThrow()
    expect(new Bun.Transpiler({ loader: 'js' }).scan(script)).toEqual({ exports: [], imports: [] })
  })

  test.each(Object.keys(files).filter((name) => name.endsWith('.js')) as (keyof typeof files)[])(
    '%s has no syntax that Safari 14, Chrome 87 or Firefox 78 does not know',
    (name) => {
      const newer = /\?\?=|\|\|=|&&=|\?\.\([^)]*\.\.\.|[^"]\(\?<[=!]|static\{|[{;]#\w+[=;(]|\d_\d/
      expect(newer.exec(files[name])?.[0]).toBeUndefined()
    },
  )

  test('leaves no name of its own behind', () => {
    expect(script).toStartWith('(()=>{')
    expect(script).toEndWith('})();')
  })
})
