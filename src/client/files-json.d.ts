// What pages load, as `bun src/client/bundle.ts` built it: TypeScript must not depend on whether it has.
declare module '*/gen/client/files.json' {
  type Bundle = typeof import('./bundle.ts')
  const files: Record<keyof Awaited<ReturnType<Bundle['bundleClient']>>, ReturnType<Bundle['built']>>
  export default files
}
