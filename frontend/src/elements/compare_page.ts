/** What the page of two runs side by side is made of. */

import "./what_if.css";
import "./charts.css";
import "./compare.css";
import "./sp-compare";
import "./sp-differences";
import "./sp-ribbon";
import "./sp-twin-line";
import "./sp-twin-charts";
