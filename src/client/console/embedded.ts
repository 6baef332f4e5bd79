/// <reference path="../built.d.ts" />
import leads from '../../../gen/client/console/leads.js' with { type: 'text' }
import script from '../../../gen/client/console/main.js' with { type: 'text' }

/** The console's script: in the executable, or as last built when run from source. */
export const consoleScript: string = script

/** The script of lists of leads. */
export const leadsScript: string = leads
