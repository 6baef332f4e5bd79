import { expect, test } from 'bun:test'
import { counterMark, rawRequest } from '../../bench/raw-request.ts'

test('a request stands as HTTP/1.1 text', () => {
  const text = rawRequest({ method: 'GET', target: '/launch', headers: { Host: 'bench.example' } })
  expect(text).toBe('GET /launch HTTP/1.1\r\nHost: bench.example\r\n\r\n')
})

test('the declared length is that of the bytes', () => {
  const text = rawRequest({ method: 'POST', target: '/e', headers: {}, body: '"ä"' })
  expect(text).toEndWith('Content-Length: 4\r\n\r\n"ä"')
})

test('the mark is as long as the twelve digits that replace it, so that the length still holds', () => {
  expect(counterMark).toHaveLength(12)
})
