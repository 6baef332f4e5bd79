// What `bun src/client/bundle.ts` builds: TypeScript must not depend on whether it has.
declare module '*/gen/client/files.json' {
  type Bundle = typeof import('./bundle.ts')
  const files: Record<keyof Awaited<ReturnType<Bundle['bundleClient']>>, ReturnType<Bundle['built']>>
  export default files
}
declare module '*/gen/client/console/main.js' {
  const text: string
  export default text
}
declare module '*/gen/client/console/leads.js' {
  const text: string
  export default text
}
declare module '*/gen/client/test-page/main.js' {
  const text: string
  export default text
}
declare module '*/gen/client/settings-editor/main.js.gz' {
  const file: string
  export default file
}
declare module '*.md' {
  const text: string
  export default text
}
declare module '*.css' {
  const text: string
  export default text
}
