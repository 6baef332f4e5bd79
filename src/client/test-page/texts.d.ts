// The test page's parts as text. They are built (`bun src/client/bundle.ts`), so TypeScript cannot look at them.
declare module '*/gen/client/test-page/main.js' {
  const text: string
  export default text
}
declare module '*/gen/client/test-page/page.css' {
  const text: string
  export default text
}
declare module '*/gen/client/test-page/website.css' {
  const text: string
  export default text
}
