// Built by `bun src/client/bundle.ts`, so TypeScript cannot look at it.
declare module '*/gen/client/console/main.js' {
  const text: string
  export default text
}
