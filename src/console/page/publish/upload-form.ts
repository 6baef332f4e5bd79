import { html, type Markup } from '../../../lib/html.ts'

/** A form for a folder or a zip; with the script, users can drop one on the page. */
export const uploadForm = (
  action: string,
): Markup => html`<form class="drop" method="post" action="${action}" enctype="multipart/form-data" data-drop>
<p class="drop-here" hidden>Drop the site folder, or a zip of it, anywhere on this page.</p>
<label for="folder">The site folder</label><input id="folder" name="files" type="file" webkitdirectory multiple>
<label for="zip">or a zip of it</label><input id="zip" name="zip" type="file" accept=".zip,application/zip">
<p class="hint">The folder contains site.toml, and in pages, img and files the content to publish.</p>
<p class="do"><button>Show what would change</button></p><p class="status" role="status"></p></form>`
