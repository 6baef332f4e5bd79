/// <reference path="./built.d.ts" />
import files from '../../gen/client/files.json' with { type: 'json' }

/** What pages load from `/_svc/`: in the executable, or as last built when run from source. */
export const clientFiles = files
