/// <reference path="../../../client/built.d.ts" />
import { reportPartsStyle } from '../../../report/document/page-style.ts'
import controls from './controls.css' with { type: 'text' }
import leads from './leads.css' with { type: 'text' }
import report from './report.css' with { type: 'text' }
import shell from './shell.css' with { type: 'text' }
import site from './site.css' with { type: 'text' }
import tables from './tables.css' with { type: 'text' }

/** The style of the console, one file per subject. Later files win over earlier ones. */
export const style = [shell, controls, tables, leads, site, reportPartsStyle, report].join('')
