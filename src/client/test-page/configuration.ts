/** The runtime configuration (spec) as the page reads it. */
export interface Configuration {
  v: number
  originAuthorised: boolean
  consent: { signalSource: string; blockBeforeOptIn: boolean }
  tracking: { enabled: boolean; autoPageview: boolean }
  botCheck: { provider: string; sitekey: string }
  forms: Record<string, FormDeclaration | undefined>
}

export interface FormDeclaration {
  registered: boolean
  honeypotFieldName?: string
  botCheckRequired?: boolean
  schema?: DeclaredSchema
}

export interface DeclaredSchema {
  required?: string[]
  properties?: Record<string, PropertySchema>
}

export interface PropertySchema {
  type?: string
  format?: string
  enum?: unknown[]
  const?: unknown
}

/** The text as a configuration; `null`: it is not one. */
export function readConfiguration(text: string): Configuration | null {
  try {
    const read = JSON.parse(text)
    return read.v === 1 && typeof read.originAuthorised === 'boolean' && typeof read.forms === 'object' ? read : null
  } catch {
    return null
  }
}
