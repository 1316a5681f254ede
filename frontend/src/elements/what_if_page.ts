/** What the what-if page is made of. */

import "./what_if.css";
import "./sp-what-if";
import "./sp-edits";
