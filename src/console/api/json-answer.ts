import type { ApiAnswer } from './endpoint.ts'

/** What an endpoint returned, as JSON. */
export const jsonAnswer = ({ value, headers = {} }: Exclude<ApiAnswer<unknown>, Response>, status = 200): Response =>
  // Captured numbers keep their digits, which Response.json would round.
  new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  })
