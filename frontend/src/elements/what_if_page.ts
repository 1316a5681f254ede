/** What the what-if page is made of. */

import "./what_if.css";
import "./sp-what-if";
import "./sp-edits";
import "./capacity.css";
import "./repair.css";
import "./sp-capacity";
import "./sp-repair";
import "./sp-change";
import "./sp-yaml";
