/// <reference path="../built.d.ts" />
import file from '../../../gen/client/settings-editor/main.js.gz' with { type: 'file' }

/** Where the script of the settings' editor is, compressed: in the executable, or as last built when run from source. */
export const settingsEditorFile: string = file
