/** Entry: styles, the elements, the keyboard. */

import "./base/fonts.css";
import "./base/tokens.css";
import "./base/page.css";
import "./base/controls.css";
import "./elements/shared.css";
import "./elements/run.css";
import "./elements/map.css";
import "./elements/cycle.css";
import "./elements/tables.css";
import "./elements/start.css";
import "./elements/sp-run";
import "./elements/sp-status";
import "./elements/sp-layout";
import "./elements/sp-queue";
import "./elements/sp-history";
import "./elements/sp-cycles";
import "./elements/sp-log";
import "./elements/sp-board";
import "./elements/sp-map";
import "./elements/sp-tables";
import "./elements/sp-detail";
import "./elements/sp-cycle";
import "./elements/sp-why";
import "./elements/sp-node";
import "./elements/sp-scrubber";
import "./elements/sp-drop";
import "./elements/sp-line";
import "./elements/sp-theme";
import "./elements/sp-keys";
import { watchForms } from "./base/forms";
import { keyMap } from "./base/keys";

keyMap.listen(document);
watchForms(document);
