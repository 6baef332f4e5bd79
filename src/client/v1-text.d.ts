// The browser script as text. It is built (`bun src/client/bundle.ts`), so TypeScript cannot look at it.
declare module '*/gen/client/v1.js' {
  const text: string
  export default text
}
