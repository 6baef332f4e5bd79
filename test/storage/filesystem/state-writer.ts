import { unknownTarget } from '../../../src/backup/target-state.ts'
import { FileTargetStates } from '../../../src/storage/filesystem/target-states.ts'

// Stands for a process that stores the state of a target again and again.
declare const self: Worker

self.onmessage = ({ data: { dir, url } }: MessageEvent<{ dir: string; url: string }>) => {
  try {
    const states = new FileTargetStates(dir)
    for (let writtenAt = 1; writtenAt <= 500; writtenAt++) states.write({ ...unknownTarget(url), writtenAt })
    self.postMessage('stored')
  } catch (error) {
    self.postMessage((error as Error).message)
  }
}
