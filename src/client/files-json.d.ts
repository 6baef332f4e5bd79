// What pages load, as `bun src/client/bundle.ts` built it: TypeScript must not depend on whether it has.
declare module '*/gen/client/files.json' {
  const files: Record<import('./bundle.ts').ClientFileName, import('./bundle.ts').BuiltFile>
  export default files
}
