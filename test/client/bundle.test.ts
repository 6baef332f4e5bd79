import { describe, expect, test } from 'bun:test'
import { bundleScript, gzipBytes, scriptGzipBytesMax } from '../../src/client/bundle.ts'

const script = await bundleScript()

describe('the browser script', () => {
  test('is at most 3,000 bytes gzipped', () => {
    expect(scriptGzipBytesMax).toBe(3_000)
    expect(gzipBytes(script)).toBeLessThanOrEqual(3_000)
  })

  test('is the whole script, not an empty shell', () => {
    for (const path of ['/_svc/rc', '/_svc/f/', '/_svc/e', '/_svc/b.js', '/_svc/p.js']) expect(script).toContain(path)
  })

  test.each(['cookie', 'localStorage', 'sessionStorage', 'indexedDB', 'caches'])('never touches %s', (name) => {
    expect(script).not.toContain(name)
  })

  test.each(['eval(', 'new Function', 'innerHTML', "setAttribute('style"])(
    'needs nothing that a strict Content-Security-Policy forbids: %s',
    (text) => {
      expect(script).not.toContain(text)
    },
  )

  test('is one classic script that depends on nothing', () => {
    expect(() => new Bun.Transpiler({ loader: 'js' }).scan(script)).not.toThrow()
    expect(new Bun.Transpiler({ loader: 'js' }).scan(script)).toEqual({ exports: [], imports: [] })
  })

  test('leaves no name of its own behind', () => {
    expect(script).toStartWith('(()=>{')
    expect(script).toEndWith('})();')
  })
})
