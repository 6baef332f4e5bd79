declare module '*.gz' {
  /** Of the file, which the executable contains. */
  const path: string
  export default path
}
