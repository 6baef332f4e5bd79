import text from '../../config.example.toml' with { type: 'text' }

/** The documented default configuration, as `capture config example` prints it. */
export const exampleConfig: string = text
