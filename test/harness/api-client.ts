import { newToken } from './api-call.ts'
import type { Box } from './box.ts'

export interface ApiReply {
  status: number
  headers: Headers
  bytes: Uint8Array<ArrayBuffer>
  /** The body as JSON. */
  json: () => never
}

/** A program that calls the API with a token. */
export class ApiClient {
  private constructor(
    private readonly box: Box,
    readonly token: string,
  ) {}

  static async withToken(box: Box, ...options: string[]): Promise<ApiClient> {
    return new ApiClient(box, (await newToken(box, ...options)).token)
  }

  async call(
    method: string,
    path: string,
    body: string | Uint8Array<ArrayBuffer> | FormData | null = null,
    headers: Record<string, string> = {},
  ): Promise<ApiReply> {
    const response = await fetch(`http://127.0.0.1:${this.box.consolePort}/api/v1${path}`, {
      method,
      headers: { host: 'localhost', authorization: `Bearer ${this.token}`, ...headers },
      body,
    })
    const bytes = new Uint8Array(await response.arrayBuffer())
    return {
      status: response.status,
      headers: response.headers,
      bytes,
      json: () => JSON.parse(new TextDecoder().decode(bytes)) as never,
    }
  }
}
