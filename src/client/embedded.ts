/// <reference path="./v1-text.d.ts" />
import text from '../../gen/client/v1.js' with { type: 'text' }

/** The browser script, as served at `/_svc/v1.js`: in the executable, or as last built when run from source. */
export const clientScript: string = text
