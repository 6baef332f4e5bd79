import { FileTargetStates } from '../../../src/storage/filesystem/target-states.ts'

// Stands for a process that changes the state of a target again and again.
declare const self: Worker

self.onmessage = ({ data: { dir, url } }: MessageEvent<{ dir: string; url: string }>) => {
  try {
    const states = new FileTargetStates(dir)
    for (let time = 0; time < 250; time++) states.change(url, ({ writtenAt }) => ({ writtenAt: writtenAt + 1 }))
    self.postMessage('stored')
  } catch (error) {
    self.postMessage((error as Error).message)
  }
}
