/// <reference path="../../../client/built.d.ts" />
import { reportPartsStyle } from '../../../report/document/page-style.ts'
import account from './account.css' with { type: 'text' }
import base from './base.css' with { type: 'text' }
import cards from './cards.css' with { type: 'text' }
import controls from './controls.css' with { type: 'text' }
import copy from './copy.css' with { type: 'text' }
import guide from './guide.css' with { type: 'text' }
import inbox from './inbox.css' with { type: 'text' }
import operations from './operations.css' with { type: 'text' }
import print from './print.css' with { type: 'text' }
import publish from './publish.css' with { type: 'text' }
import report from './report.css' with { type: 'text' }
import shell from './shell.css' with { type: 'text' }
import site from './site.css' with { type: 'text' }
import submission from './submission.css' with { type: 'text' }
import tables from './tables.css' with { type: 'text' }

/** The style of the console, one file per subject. Later files win over earlier ones. */
export const style = [
  base,
  shell,
  controls,
  copy,
  tables,
  cards,
  inbox,
  submission,
  reportPartsStyle,
  report,
  operations,
  site,
  guide,
  account,
  publish,
  print,
].join('')
